// WebAssembly as the bundler gives it: its bytes.
declare module '*.wasm' {
  const bytes: Uint8Array<ArrayBuffer>;
  // eslint-disable-next-line no-restricted-syntax -- it is how the bundler exports it
  export default bytes;
}
