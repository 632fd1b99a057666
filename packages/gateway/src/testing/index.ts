export * from './contract.ts';
export * from './emulator.ts';
