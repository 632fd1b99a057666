export { createGateway, Gateway } from './gateway.ts';
export { type InProcessHandler, inProcessHandler } from './in-process.ts';
export type { GatewayOptions } from './options.ts';
export * from './request.ts';
