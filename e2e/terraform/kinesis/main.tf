resource "aws_kms_key" "orders" {
  deletion_window_in_days = 7
}

resource "aws_kinesis_stream" "orders" {
  name                = "orders"
  shard_count         = 2
  retention_period    = 48
  shard_level_metrics = ["IncomingBytes", "OutgoingRecords"]
  encryption_type     = "KMS"
  kms_key_id          = aws_kms_key.orders.arn

  stream_mode_details {
    stream_mode = "PROVISIONED"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_kinesis_stream" "clicks" {
  name = "clicks"

  stream_mode_details {
    stream_mode = "ON_DEMAND"
  }
}

resource "aws_kinesis_stream_consumer" "reader" {
  name       = "reader"
  stream_arn = aws_kinesis_stream.orders.arn
}

resource "aws_kinesis_resource_policy" "orders" {
  resource_arn = aws_kinesis_stream.orders.arn
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "write"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::123456789012:root" }
      Action    = ["kinesis:DescribeStreamSummary", "kinesis:PutRecord"]
      Resource  = aws_kinesis_stream.orders.arn
    }]
  })
}
