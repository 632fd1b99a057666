export * from './copy-directory.ts';
export * from './faulty-file-system.ts';
