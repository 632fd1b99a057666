variable "package" {
  type = string
}

variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kinesis_stream" "source" {
  name        = "firehose-source"
  shard_count = 1
}

resource "aws_iam_role_policy" "firehose" {
  role = aws_iam_role.firehose.id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "*", Resource = "*" }]
  })
}

resource "aws_kms_key" "firehose" {
  description             = "firehose"
  deletion_window_in_days = 7
}

resource "aws_cloudwatch_log_group" "firehose" {
  name = "firehose"
}

resource "aws_lambda_function" "processor" {
  function_name    = "firehose-processor"
  role             = "arn:aws:iam::123456789012:role/processor"
  runtime          = "nodejs20.x"
  handler          = "index.handler"
  filename         = var.package
  source_code_hash = filebase64sha256(var.package)
}

resource "aws_kinesis_firehose_delivery_stream" "sourced" {
  name        = "sourced"
  destination = "extended_s3"
  depends_on  = [aws_iam_role_policy.firehose]

  kinesis_source_configuration {
    kinesis_stream_arn = aws_kinesis_stream.source.arn
    role_arn           = aws_iam_role.firehose.arn
  }

  extended_s3_configuration {
    role_arn            = aws_iam_role.firehose.arn
    bucket_arn          = aws_s3_bucket.deliveries.arn
    buffering_size      = var.changed ? 128 : 64
    buffering_interval  = var.changed ? 100 : 300
    custom_time_zone    = "Europe/Berlin"
    file_extension      = ".json"
    prefix              = "data/customer=!{partitionKeyFromQuery:customer}/"
    error_output_prefix = "errors/!{firehose:error-output-type}/"
    s3_backup_mode      = "Enabled"

    dynamic_partitioning_configuration {
      enabled        = true
      retry_duration = 300
    }

    processing_configuration {
      enabled = true

      processors {
        type = "RecordDeAggregation"
        parameters {
          parameter_name  = "SubRecordType"
          parameter_value = "JSON"
        }
      }

      processors {
        type = "AppendDelimiterToRecord"
      }

      processors {
        type = "MetadataExtraction"
        parameters {
          parameter_name  = "JsonParsingEngine"
          parameter_value = "JQ-1.6"
        }
        parameters {
          parameter_name  = "MetadataExtractionQuery"
          parameter_value = "{customer:.customer}"
        }
      }
    }

    s3_backup_configuration {
      role_arn           = aws_iam_role.firehose.arn
      bucket_arn         = aws_s3_bucket.deliveries.arn
      prefix             = "backup/"
      compression_format = var.changed ? "GZIP" : "UNCOMPRESSED"
    }

    cloudwatch_logging_options {
      enabled         = true
      log_group_name  = aws_cloudwatch_log_group.firehose.name
      log_stream_name = "sourced"
    }
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_kinesis_firehose_delivery_stream" "transformed" {
  name        = "transformed"
  destination = "extended_s3"
  depends_on  = [aws_iam_role_policy.firehose]

  extended_s3_configuration {
    role_arn    = aws_iam_role.firehose.arn
    bucket_arn  = aws_s3_bucket.deliveries.arn
    kms_key_arn = aws_kms_key.firehose.arn

    processing_configuration {
      enabled = "true"

      processors {
        type = "Lambda"
        parameters {
          parameter_name  = "LambdaArn"
          parameter_value = "${aws_lambda_function.processor.arn}:$LATEST"
        }
        parameters {
          parameter_name  = "BufferSizeInMBs"
          parameter_value = var.changed ? "2" : "1.5"
        }
      }
    }
  }

  server_side_encryption {
    enabled  = true
    key_type = "CUSTOMER_MANAGED_CMK"
    key_arn  = aws_kms_key.firehose.arn
  }
}

resource "aws_secretsmanager_secret" "key" {
  name                    = "firehose-key"
  recovery_window_in_days = 0
}

resource "aws_kinesis_firehose_delivery_stream" "secret" {
  name        = "secret"
  destination = "http_endpoint"
  depends_on  = [aws_iam_role_policy.firehose]

  http_endpoint_configuration {
    url                = "https://shop.example/in"
    name               = "shop"
    buffering_size     = 5
    buffering_interval = 60
    retry_duration     = var.changed ? 100 : 300
    role_arn           = aws_iam_role.firehose.arn

    s3_configuration {
      role_arn   = aws_iam_role.firehose.arn
      bucket_arn = aws_s3_bucket.deliveries.arn
    }

    secrets_manager_configuration {
      enabled    = true
      role_arn   = aws_iam_role.firehose.arn
      secret_arn = aws_secretsmanager_secret.key.arn
    }
  }
}
