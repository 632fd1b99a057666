/** A message to a user. */
export interface Message {
  /** Source of the custom message trigger, for example `CustomMessage_SignUp`. */
  source: string;
  medium: 'EMAIL' | 'SMS';
  destination: string;
  code: string;
  clientId: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Whether it is an invitation, which contains the user name. */
  isInvitation?: boolean;
  /** Text of the pool's MFA message setting. */
  text?: string | undefined;
  subject?: string | undefined;
  /** Confirmation link, if the pool sends links. */
  link?: string | undefined;
}
