import { join } from 'node:path';
import { Lambda } from '@aws-sdk/client-lambda';
import { describeKill } from '@emu/gateway/testing';
import { manifest } from '../src/manifest.ts';
import { CODE } from './support.ts';

describeKill('Lambda', {
  manifests: [manifest],
  program: join(import.meta.dirname, 'programs', 'server.ts'),
  storesBodies: true,
  connect: (config) => {
    const lambda = new Lambda(config);
    return {
      prepare: () => lambda.listLayers({}).then(() => undefined),
      // The package is a separate body, which must exist for a stored layer version.
      write: (piece) =>
        lambda.publishLayerVersion({ LayerName: 'pieces', Description: String(piece), Content: { ZipFile: CODE } }),
      read: async () => {
        const found: number[] = [];
        for (let Marker: string | undefined; ; ) {
          const { LayerVersions = [], NextMarker } = await lambda.listLayerVersions({ LayerName: 'pieces', Marker });
          found.push(...LayerVersions.map(({ Description }) => Number(Description)));
          if (!NextMarker) return found;
          Marker = NextMarker;
        }
      },
      destroy: () => lambda.destroy(),
    };
  },
});
