export * from './contract.ts';
export * from './emulator.ts';
export * from './fake-service.ts';
export * from './faults/index.ts';
export * from './identities.ts';
export * from './raw.ts';
export * from './refusals.ts';
export * from './zip.ts';
