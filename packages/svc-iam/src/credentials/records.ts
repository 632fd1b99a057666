import { defineCollection } from '@emu/core/service';
import type { Tag } from '@emu/service-types/iam';

/** A virtual MFA device. Times are epoch milliseconds, rounded to seconds. */
export interface MfaDeviceRecord {
  /** Its ARN. */
  serialNumber: string;
  /** Base32 secret shared by the device and IAM. */
  seed: string;
  tags: Tag[];
  /** Set if it is enabled for a user. */
  assigned?: MfaAssignment;
}

/** Data of an enabled device. */
export interface MfaAssignment {
  userId: string;
  enabledAt: number;
  /** Periods of 30 seconds by which the device's clock is ahead of IAM's. */
  drift: number;
  /** Period of the last code used for authentication. */
  usedPeriod?: number;
}

/** A user's SSH public key, for CodeCommit. */
export interface SshKeyRecord {
  /** `APKA…`. */
  id: string;
  userId: string;
  /** Key as uploaded. */
  body: string;
  encoding: 'SSH' | 'PEM';
  /** Modulus and exponent of the key, in JSON Web Key form. */
  key: { n: string; e: string };
  fingerprint: string;
  active: boolean;
  uploadedAt: number;
}

/** A user's X.509 signing certificate. */
export interface SigningCertificateRecord {
  id: string;
  /** Id of a user, or the account id for the root user. */
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
  /** For example `codecommit.amazonaws.com`. */
  service: string;
  /** User name, or alias of an API key. */
  name: string;
  /** Password or API key, for verification by services. */
  secret: string;
  active: boolean;
  createdAt: number;
  expiresAt?: number;
}

/** MFA devices by serial number. */
export const mfaDeviceCollection = defineCollection<MfaDeviceRecord>('mfa-devices', 'account');
/** The following collections are by id. */
export const sshKeyCollection = defineCollection<SshKeyRecord>('ssh-keys', 'account');
export const signingCertificateCollection = defineCollection<SigningCertificateRecord>(
  'signing-certificates',
  'account',
);
export const serviceCredentialCollection = defineCollection<ServiceCredentialRecord>('service-credentials', 'account');

/** Credentials of users besides passwords and access keys. */
export const credentialCollections = [
  mfaDeviceCollection,
  sshKeyCollection,
  signingCertificateCollection,
  serviceCredentialCollection,
];
