// Used exports of CommonJS packages that are loaded lazily, for which bundlers provide no named exports.
export { buildEncrypt } from '@aws-crypto/encrypt-node';
export {
  CommitmentPolicy,
  EncryptedDataKey,
  immutableClass,
  KeyringNode,
  KeyringTraceFlag,
} from '@aws-crypto/material-management-node';
