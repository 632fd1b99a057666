export { parseDuration } from './control/duration.ts';
export { createGateway, Gateway } from './gateway.ts';
export { type InProcessHandler, inProcessHandler } from './http/in-process.ts';
export type { ListenAddress, Listener } from './http/listener.ts';
export { INIT_STAGES, type InitReport, type InitStage } from './init.ts';
export type { GatewayOptions } from './options.ts';
export type { Forwarder } from './pipeline/forwarder.ts';
export * from './request/gateway-request.ts';
