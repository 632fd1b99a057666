export { isRegex, javaReplacement, LinearRegex, type RegexMatch, WholeRegex } from './regex.ts';
export { RegexError } from './translate.ts';
