// What is used of a CommonJS package that is loaded late: bundlers give such a package no names of its own.
export { buildEncrypt } from '@aws-crypto/encrypt-node';
export {
  CommitmentPolicy,
  EncryptedDataKey,
  immutableClass,
  KeyringNode,
  KeyringTraceFlag,
} from '@aws-crypto/material-management-node';
