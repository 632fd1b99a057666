export * from './aborting-handler.ts';
export * from './describe.ts';
export * from './leaks.ts';
export * from './process.ts';
export * from './workload.ts';
