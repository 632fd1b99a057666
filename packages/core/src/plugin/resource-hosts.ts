import type { HeaderValues } from '@emu/wire';
import type { EndpointName } from './data-plane.ts';

/** Rules for host names of a service's resources, such as buckets: `photos.s3.eu-west-1.amazonaws.com`. */
export interface ResourceHosts {
  /** Host label of the service after the resource's name. */
  readonly label: string;
  /** Alternative labels. */
  readonly aliases: RegExp;
  /** Labels that a dash and the region may follow, as in `s3-eu-west-1`, in the order in which they are tried. */
  readonly dashed: readonly string[];
  /** Matches a resource, in its first group, before an endpoint without AWS's form. */
  readonly marked: RegExp;
  /** Resource names before the emulator's own address: `photos.localhost`. */
  readonly names: RegExp;
  /**
   * Returns the resource in a request's host, in the form that begins the operation's path.
   * @param host undefined for a host without AWS's form
   * @param name what precedes the emulator's address, if it matches `names`
   * @param signingName undefined for unsigned requests
   * @param region region of the request, else the emulator's own
   */
  resourceOf(
    request: { readonly path: string; readonly headers: HeaderValues },
    host: EndpointName | undefined,
    name: string | undefined,
    signingName: string | undefined,
    region: string,
  ): string | undefined;
}
