export * from './codec.ts';
export * from './errors.ts';
export * from './http.ts';
export * from './model.ts';
export * from './values.ts';
