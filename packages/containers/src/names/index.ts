export * from './files.ts';
export * from './port.ts';
export * from './variables.ts';
