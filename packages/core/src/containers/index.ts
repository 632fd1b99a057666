export { Containers, type DriverOptions, type OpenDriver } from './backends.ts';
export * from './runtime.ts';
export { TailBuffer } from './tail-buffer.ts';
