import type { SamlSession } from '../records.ts';

/** Profile of a user from an identity provider. */
export interface FederatedProfile {
  /** The user's id at the provider. */
  userId: string;
  /** Attributes under the names used in mappings. */
  claims: Record<string, string>;
  /** Attributes by source, for the inbound federation trigger. */
  sources: Record<string, Record<string, string>>;
  session?: SamlSession;
}
