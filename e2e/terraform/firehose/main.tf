resource "aws_s3_bucket" "deliveries" {
  bucket        = "deliveries"
  force_destroy = true
}

resource "aws_iam_role" "firehose" {
  name = "firehose-deliveries"
  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "firehose.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_kinesis_firehose_delivery_stream" "orders" {
  name        = "orders"
  destination = "extended_s3"

  extended_s3_configuration {
    role_arn            = aws_iam_role.firehose.arn
    bucket_arn          = aws_s3_bucket.deliveries.arn
    prefix              = "orders/!{timestamp:yyyy}/"
    error_output_prefix = "errors/!{firehose:error-output-type}/"
    buffering_size      = 10
    buffering_interval  = 60
    compression_format  = "GZIP"
  }

  server_side_encryption {
    enabled  = true
    key_type = "AWS_OWNED_CMK"
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_kinesis_firehose_delivery_stream" "posted" {
  name        = "posted"
  destination = "http_endpoint"

  http_endpoint_configuration {
    url                = "https://127.0.0.1/in"
    name               = "local"
    access_key         = "secret"
    buffering_size     = 15
    buffering_interval = 600
    role_arn           = aws_iam_role.firehose.arn
    s3_backup_mode     = "FailedDataOnly"

    s3_configuration {
      role_arn           = aws_iam_role.firehose.arn
      bucket_arn         = aws_s3_bucket.deliveries.arn
      buffering_size     = 10
      buffering_interval = 400
      compression_format = "GZIP"
    }

    request_configuration {
      content_encoding = "GZIP"

      common_attributes {
        name  = "stage"
        value = "test"
      }
    }
  }
}
