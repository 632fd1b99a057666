/** Result of an authorizer for an identity. */
export interface AuthorizerResult {
  readonly principalId: string;
  /** JSON text of the policy. */
  readonly policy: string;
  /** Values as text, as in events and templates. */
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey: string | undefined;
}
