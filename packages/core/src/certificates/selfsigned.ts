// Exports of a lazily loaded CommonJS package: bundlers give such a package no named exports.
export { generate } from 'selfsigned';
