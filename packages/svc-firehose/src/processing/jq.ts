// Named imports of a lazily loaded CommonJS package fail in bundles.
export { raw } from 'jq-wasm';
