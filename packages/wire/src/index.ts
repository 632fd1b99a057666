export * from './codec.ts';
export * from './errors.ts';
export * from './http.ts';
export * from './model.ts';
export type { CompileOptions } from './options.ts';
export { unsupportedPatterns } from './pattern.ts';
export { compileService } from './service.ts';
export { validationError } from './validation.ts';
export * from './values.ts';
