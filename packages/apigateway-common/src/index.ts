export { accessLogLine, contextValue } from './access-log.ts';
export * from './address.ts';
export { type ClientCertificate, trustedClient } from './client-certificate.ts';
export { type DefinitionLocation, readDefinition, withVariables } from './definitions.ts';
export {
  ExecutionLog,
  javaMap,
  logStreamOf,
  masked,
  withoutSecrets,
  writeAccessLine,
  writeExecutionLog,
} from './execution-log.ts';
export { Fields } from './fields.ts';
export {
  callFunction,
  type FunctionAnswer,
  type FunctionCall,
  functionOfUri,
  functionWrittenIn,
  gatewayPrincipal,
  invocationUrl,
  rolePrincipal,
  streamFunction,
  withStageVariables,
} from './functions.ts';
export { EDGE_ZONE, HOSTED_ZONES } from './hosted-zones.ts';
export { findByPath } from './json-path.ts';
export { type LocalUrls, localUrls } from './local-urls.ts';
export { domainThatMaps } from './mapped-domains.ts';
export { missingSchemas } from './missing-schemas.ts';
export {
  type EndpointAnswer,
  EndpointExcess,
  type EndpointRequest,
  EndpointTimeout,
  isNetworkFailure,
  sendToEndpoint,
  streamFromEndpoint,
} from './outgoing.ts';
export { credentialsRole, documentRoles } from './passed-roles.ts';
export { type ProxyAnswer, type ProxyRequest, proxyAnswer, proxyEvent } from './proxy-event.ts';
export { taggedByOtherApi } from './tags.ts';
export { ACCOUNT_RATE, takeFromAccount } from './throttle.ts';
export { TimedCache } from './timed-cache.ts';
export { newTrace, requestTime } from './times.ts';
export { readTruststore, type Truststore } from './truststore.ts';
export { versionText } from './version-text.ts';
export { TemplateError } from './vtl/parse.ts';
export { renderTemplate } from './vtl/render.ts';
export { javaText } from './vtl/values.ts';
export { InputVariable, type TemplateParameters, UTIL } from './vtl/variables.ts';
export { MAX_UNSENT } from './websocket-limits.ts';
