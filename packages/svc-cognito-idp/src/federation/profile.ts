import type { SamlSession } from '../records.ts';

/** What an identity provider tells of whoever has signed in. */
export interface FederatedProfile {
  /** How the provider calls the user. */
  userId: string;
  /** Its attributes, as the mapping names them. */
  claims: Record<string, string>;
  /** The same by where they come from, as the trigger for inbound federation sees them. */
  sources: Record<string, Record<string, string>>;
  session?: SamlSession;
}
