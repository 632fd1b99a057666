export * from './copy-directory.ts';
export * from './damages.ts';
export * from './faulty-file-system.ts';
export * from './rewrite-snapshot.ts';
