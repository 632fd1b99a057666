variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kinesis_stream" "changing" {
  name                      = "changing"
  shard_count               = var.changed ? 2 : 1
  retention_period          = var.changed ? 24 : 30
  shard_level_metrics       = var.changed ? ["IncomingBytes"] : ["IncomingBytes", "OutgoingBytes"]
  enforce_consumer_deletion = true
  encryption_type           = var.changed ? "NONE" : "KMS"
  kms_key_id                = var.changed ? null : "alias/aws/kinesis"

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

# Its capacity mode changes.
resource "aws_kinesis_stream" "mode" {
  name        = "mode"
  shard_count = var.changed ? null : 1

  stream_mode_details {
    stream_mode = var.changed ? "ON_DEMAND" : "PROVISIONED"
  }
}
