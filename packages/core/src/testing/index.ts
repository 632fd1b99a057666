export * from './data-copy.ts';
export * from './faulty-file-system.ts';
