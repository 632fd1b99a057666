import { dnsSuffixOf } from '@emu/core/service';
import type { ProtocolType } from '@emu/service-types/apigatewayv2';

/** The host name of an API, as AWS's are. */
export const hostOf = (apiId: string, region: string): string =>
  `${apiId}.execute-api.${region}.${dnsSuffixOf(region)}`;

/** The URL of an API without a stage. */
export function endpointOf(
  { ApiId, ProtocolType }: { ApiId: string; ProtocolType: ProtocolType },
  { region }: { region: string },
): string {
  return `${ProtocolType === 'HTTP' ? 'https' : 'wss'}://${hostOf(ApiId, region)}`;
}
