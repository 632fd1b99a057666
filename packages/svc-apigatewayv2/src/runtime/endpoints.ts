import { dnsSuffixOf } from '@emu/core/service';
import type { ProtocolType } from '@emu/service-types/apigatewayv2';

/** Returns the host name of an API, in AWS's form. */
export const hostOf = (apiId: string, region: string): string =>
  `${apiId}.execute-api.${region}.${dnsSuffixOf(region)}`;

/** Returns the URL of an API without stage. */
export function endpointOf(
  { ApiId, ProtocolType }: { ApiId: string; ProtocolType: ProtocolType },
  { region }: { region: string },
): string {
  return `${ProtocolType === 'HTTP' ? 'https' : 'wss'}://${hostOf(ApiId, region)}`;
}
