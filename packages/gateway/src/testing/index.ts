export * from './emulator.ts';
