import type { Capability } from '../base/capability.ts';
import type { OfferedCapability, ServiceManifest } from '../plugin/manifest.ts';
import type { Capabilities } from '../services/loaded-service.ts';
import type { ServiceRegistry } from '../services/service-registry.ts';

/** Finds capabilities of plugins and of the emulator itself. */
export class CapabilityRegistry implements Capabilities {
  /** Services of the capabilities, by name. */
  private readonly providers = new Map<Capability<unknown>, string>();
  /** Capabilities without a service, each created at the first use. */
  private readonly offers = new Map<Capability<unknown>, { make(): unknown; made?: unknown }>();

  /** @param offered capabilities of the emulator itself */
  constructor(
    manifests: readonly ServiceManifest[],
    private readonly registry: ServiceRegistry,
    offered: readonly OfferedCapability[],
  ) {
    for (const { name, provides = [] } of manifests)
      for (const capability of provides) this.providers.set(capability, name);
    for (const { capability, make } of [...manifests.flatMap(({ offers = [] }) => offers), ...offered])
      this.offers.set(capability, { make });
  }

  capability<Offer>(capability: Capability<Offer>): Offer | undefined | Promise<Offer | undefined> {
    const name = this.providers.get(capability);
    if (name === undefined) {
      const offer = this.offers.get(capability);
      if (offer) offer.made ??= offer.make();
      return offer?.made as Offer | undefined;
    }
    const loaded = this.registry.loadedService(name);
    return loaded ? loaded.offer(capability) : this.registry.service(name).then((service) => service.offer(capability));
  }
}
