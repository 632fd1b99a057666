export * from './building.ts';
export * from './define.ts';
export * from './policies.ts';
