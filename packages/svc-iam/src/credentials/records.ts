import { defineCollection } from '@emu/core/service';
import type { Tag } from '@emu/service-types/iam';

/** A virtual MFA device. Points in time are epoch milliseconds, in whole seconds. */
export interface MfaDeviceRecord {
  /** Its ARN. */
  serialNumber: string;
  /** The secret that it and IAM share, in base32. */
  seed: string;
  tags: Tag[];
  /** Where it is enabled for a user. */
  assigned?: MfaAssignment;
}

/** What IAM knows of a device that is enabled. */
export interface MfaAssignment {
  userId: string;
  enabledAt: number;
  /** Periods of 30 seconds by which the device's clock is ahead of IAM's. */
  drift: number;
  /** The period of the latest code that somebody authenticated with. */
  usedPeriod?: number;
}

/** A user's SSH public key, for CodeCommit. */
export interface SshKeyRecord {
  /** `APKA…`. */
  id: string;
  userId: string;
  /** As it was uploaded. */
  body: string;
  encoding: 'SSH' | 'PEM';
  /** Modulus and exponent of the key, as JSON Web Keys have them. */
  key: { n: string; e: string };
  fingerprint: string;
  active: boolean;
  uploadedAt: number;
}

/** A user's X.509 signing certificate. */
export interface SigningCertificateRecord {
  id: string;
  /** Of a user, or the account's for the root user. */
  userId: string;
  /** PEM. */
  body: string;
  /** SHA-256 of the certificate. */
  fingerprint: string;
  active: boolean;
  uploadedAt: number;
}

/** A user's name and password, or API key, for one service. */
export interface ServiceCredentialRecord {
  /** `ACCA…`. */
  id: string;
  userId: string;
  /** E.g. `codecommit.amazonaws.com`. */
  service: string;
  /** User name, or alias of an API key. */
  name: string;
  /** Password or API key, for services that verify it. */
  secret: string;
  active: boolean;
  createdAt: number;
  expiresAt?: number;
}

/** By serial number. */
export const mfaDeviceCollection = defineCollection<MfaDeviceRecord>('mfa-devices', 'account');
/** These by id. */
export const sshKeyCollection = defineCollection<SshKeyRecord>('ssh-keys', 'account');
export const signingCertificateCollection = defineCollection<SigningCertificateRecord>(
  'signing-certificates',
  'account',
);
export const serviceCredentialCollection = defineCollection<ServiceCredentialRecord>('service-credentials', 'account');

/** What is registered for users besides passwords and access keys. */
export const credentialCollections = [
  mfaDeviceCollection,
  sshKeyCollection,
  signingCertificateCollection,
  serviceCredentialCollection,
];
