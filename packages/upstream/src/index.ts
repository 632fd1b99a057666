/**
 * Passes requests of AWS clients on to AWS. Requests are recognised as in the gateway, signed anew with the user's credentials,
 * and sent to the endpoint that the rules of the SDKs name.
 */
export { AwsServices } from './aws-services.ts';
export { type CredentialProvider, ownCredentials } from './credentials.ts';
export { createForwarder } from './forwarder.ts';
export { RecordProxy } from './record-proxy.ts';
export { userConfig } from './user-config.ts';
