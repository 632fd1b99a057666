export * from './customer-key.ts';
export { sealText, unsealText } from './sealing.ts';
