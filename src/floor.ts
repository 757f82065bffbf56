// Placeholder: keeps this floor compiling until its first file lands; delete it then.
export {};
