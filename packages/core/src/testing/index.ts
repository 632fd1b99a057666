export * from './faulty-file-system.ts';
