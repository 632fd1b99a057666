/** Replays recorded requests to AWS against emu, and compares the responses. */
export * from './differences.ts';
export * from './groups.ts';
export * from './http-target.ts';
export * from './ignore.ts';
export * from './replay.ts';
export * from './report.ts';
export * from './target.ts';
