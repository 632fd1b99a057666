// What is used of a CommonJS package that is loaded late: bundlers give such a package no names of its own.
export { Joiner, Rewriter, Splitter } from '@zone-eu/mailsplit';
