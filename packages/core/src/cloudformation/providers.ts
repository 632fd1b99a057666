export * from './building.ts';
export * from './keyed.ts';
