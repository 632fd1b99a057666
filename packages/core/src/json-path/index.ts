export { equal, type Json, type JsonObject } from './json.ts';
export { compilePath, type Found, insertAt, lookUp, PathSyntaxError } from './json-path.ts';
