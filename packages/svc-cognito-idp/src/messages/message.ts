/** What is sent to somebody. */
export interface Message {
  /** Source of the trigger that words it, e.g. `CustomMessage_SignUp`. */
  source: string;
  medium: 'EMAIL' | 'SMS';
  destination: string;
  code: string;
  clientId: string | undefined;
  metadata?: Readonly<Record<string, string>> | undefined;
  /** Whether it invites: then it has the name of the user. */
  isInvitation?: boolean;
  /** The words of the pool's setting for second factors. */
  text?: string | undefined;
  subject?: string | undefined;
  /** Address that confirms whoever opens it, where the pool sends links. */
  link?: string | undefined;
}
