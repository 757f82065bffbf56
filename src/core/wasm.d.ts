// WebAssembly as the bundler gives it: its bytes.
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
