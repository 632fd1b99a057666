/**
 * Fixed limits per user, policy or provider; limits per account are quotas.
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html
 */
export const LIMITS = {
  policyVersions: 5,
  groupsPerUser: 10,
  accessKeysPerUser: 2,
  signingCertificatesPerUser: 2,
  mfaDevicesPerUser: 8,
  sshKeysPerUser: 5,
  /** Per service. */
  serviceCredentialsPerUser: 2,
  clientIdsPerOidcProvider: 100,
  thumbprintsPerOidcProvider: 5,
  privateKeysPerSamlProvider: 2,
  /** Characters without white space of a managed policy and of a trust policy. */
  managedPolicySize: 6144,
  trustPolicySize: 2048,
  /** Characters without white space of all inline policies of an entity. */
  inlinePolicySize: { user: 2048, group: 5120, role: 10_240 },
} as const;
