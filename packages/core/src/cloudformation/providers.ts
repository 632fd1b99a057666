export * from './building.ts';
export * from './define.ts';
