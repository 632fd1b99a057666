import type { HeaderValues } from '@emu/wire';
import type { EndpointName } from './data-plane.ts';

/** Host names by which clients name a resource of a service, such as a bucket: `photos.s3.eu-west-1.amazonaws.com`. */
export interface ResourceHosts {
  /** Host label of the service behind the resource's name. */
  readonly label: string;
  /** Other labels that stand for it. */
  readonly aliases: RegExp;
  /** Labels that the region may follow after a dash, as in `s3-eu-west-1`, in the order in which they are tried. */
  readonly dashed: readonly string[];
  /** Recognises a resource, in its first group, in front of an endpoint that is not of AWS's form. */
  readonly marked: RegExp;
  /** Names of resources that clients put in front of the emulator's address: `photos.localhost`. */
  readonly names: RegExp;
  /**
   * Returns the resource that a request names by its host, as the path of the operation begins with it.
   * @param host undefined where the host is not of AWS's form
   * @param name what precedes the emulator's address, where it matches `names`
   * @param signingName undefined for unsigned requests
   * @param region of the request; the emulator's own where it names none
   */
  resourceOf(
    request: { readonly path: string; readonly headers: HeaderValues },
    host: EndpointName | undefined,
    name: string | undefined,
    signingName: string | undefined,
    region: string,
  ): string | undefined;
}
