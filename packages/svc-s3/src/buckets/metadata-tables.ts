import type {
  InventoryTableConfiguration,
  JournalTableConfiguration,
  S3TablesDestination,
} from '@emu/service-types/s3';

/** A bucket's metadata tables, as they were asked for. */
export interface MetadataTables {
  /** Set by the first generation of the operations, which name the destination. */
  destination?: S3TablesDestination;
  journal?: JournalTableConfiguration;
  inventory?: InventoryTableConfiguration;
}
