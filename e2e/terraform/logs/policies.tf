variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kms_key" "groups" {
  description             = "log-groups"
  deletion_window_in_days = 7

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      {
        Effect    = "Allow"
        Principal = { AWS = "arn:aws:iam::123456789012:root" }
        Action    = "kms:*"
        Resource  = "*"
      },
      {
        Effect    = "Allow"
        Principal = { Service = "logs.eu-central-1.amazonaws.com" }
        Action    = ["kms:Encrypt*", "kms:Decrypt*", "kms:ReEncrypt*", "kms:GenerateDataKey*", "kms:Describe*"]
        Resource  = "*"
      },
    ]
  })
}

resource "aws_cloudwatch_log_group" "encrypted" {
  name_prefix       = "/encrypted/"
  kms_key_id        = var.changed ? null : aws_kms_key.groups.arn
  retention_in_days = var.changed ? 0 : 1

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_cloudwatch_log_group" "rare" {
  name            = "/rare"
  log_group_class = "INFREQUENT_ACCESS"
}

resource "aws_cloudwatch_log_group" "audited" {
  name = "/audited"
}

resource "aws_s3_bucket" "audit" {
  bucket        = "terraform-log-audit"
  force_destroy = true
}

resource "aws_cloudwatch_log_data_protection_policy" "audited" {
  log_group_name = aws_cloudwatch_log_group.audited.name

  policy_document = jsonencode({
    Name    = "addresses"
    Version = "2021-06-01"
    Statement = [
      {
        Sid            = var.changed ? "look" : "audit"
        DataIdentifier = ["arn:aws:dataprotection::aws:data-identifier/EmailAddress"]
        Operation      = { Audit = { FindingsDestination = { S3 = { Bucket = aws_s3_bucket.audit.bucket } } } }
      },
      {
        Sid            = "mask"
        DataIdentifier = ["arn:aws:dataprotection::aws:data-identifier/EmailAddress"]
        Operation      = { Deidentify = { MaskConfig = {} } }
      },
    ]
  })
}

resource "aws_cloudwatch_log_account_policy" "data" {
  policy_name = "data"
  policy_type = "DATA_PROTECTION_POLICY"

  policy_document = jsonencode({
    Name    = "account"
    Version = "2021-06-01"
    Statement = [
      {
        Sid            = "audit"
        DataIdentifier = ["arn:aws:dataprotection::aws:data-identifier/EmailAddress"]
        Operation      = { Audit = { FindingsDestination = {} } }
      },
      {
        Sid            = var.changed ? "redact" : "mask"
        DataIdentifier = ["arn:aws:dataprotection::aws:data-identifier/EmailAddress"]
        Operation      = { Deidentify = { MaskConfig = {} } }
      },
    ]
  })
}

resource "aws_cloudwatch_log_account_policy" "subscription" {
  policy_name        = "subscription"
  policy_type        = "SUBSCRIPTION_FILTER_POLICY"
  selection_criteria = "LogGroupName NOT IN [\"log-sink\"]"

  policy_document = jsonencode({
    DestinationArn = aws_lambda_function.sink.arn
    FilterPattern  = var.changed ? "WARN" : "ERROR"
  })

  depends_on = [aws_lambda_permission.account]
}

resource "aws_lambda_permission" "account" {
  statement_id  = "account"
  action        = "lambda:InvokeFunction"
  function_name = aws_lambda_function.sink.function_name
  principal     = "logs.eu-central-1.amazonaws.com"
  source_arn    = "arn:aws:logs:eu-central-1:123456789012:log-group:*"
}

resource "aws_cloudwatch_log_anomaly_detector" "audited" {
  detector_name           = "audited"
  log_group_arn_list      = [aws_cloudwatch_log_group.audited.arn]
  anomaly_visibility_time = 7
  evaluation_frequency    = var.changed ? "ONE_HOUR" : "TEN_MIN"
  enabled                 = var.changed

  tags = {
    Team = "orders"
  }
}

resource "aws_cloudwatch_log_index_policy" "audited" {
  log_group_name = aws_cloudwatch_log_group.audited.name

  policy_document = jsonencode({
    Fields = var.changed ? ["eventName", "user"] : ["eventName"]
  })
}

resource "aws_iam_role" "delivery" {
  name = "logs-delivery"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = "logs.amazonaws.com" }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "delivery" {
  name = "delivery"
  role = aws_iam_role.delivery.id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = "kinesis:PutRecord", Resource = "*" }]
  })
}

resource "aws_kinesis_stream" "logs" {
  name        = "logs-delivery"
  shard_count = 1
}

resource "aws_cloudwatch_log_destination" "stream" {
  name       = "stream"
  role_arn   = aws_iam_role.delivery.arn
  target_arn = aws_kinesis_stream.logs.arn

  tags = {
    Team = var.changed ? "shop" : "orders"
  }

  depends_on = [aws_iam_role_policy.delivery]
}

resource "aws_cloudwatch_log_destination_policy" "stream" {
  destination_name = aws_cloudwatch_log_destination.stream.name

  access_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = var.changed ? "subscribe" : ""
      Effect    = "Allow"
      Principal = { AWS = "123456789012" }
      Action    = "logs:PutSubscriptionFilter"
      Resource  = aws_cloudwatch_log_destination.stream.arn
    }]
  })
}

resource "aws_cloudwatch_log_subscription_filter" "stream" {
  name            = "stream"
  log_group_name  = aws_cloudwatch_log_group.audited.name
  filter_pattern  = var.changed ? "[ip, user, ...]" : ""
  destination_arn = aws_kinesis_stream.logs.arn
  role_arn        = aws_iam_role.delivery.arn
  distribution    = var.changed ? "ByLogStream" : "Random"
  depends_on      = [aws_iam_role_policy.delivery]
}

resource "aws_cloudwatch_log_metric_filter" "dimensions" {
  name           = "dimensions"
  pattern        = "{ $.latency = * }"
  log_group_name = aws_cloudwatch_log_group.audited.name

  metric_transformation {
    name      = "Latency"
    namespace = "Orders"
    value     = "$.latency"
    unit      = var.changed ? "Seconds" : "Milliseconds"

    dimensions = {
      Service = "$.service"
    }
  }
}

resource "aws_cloudwatch_query_definition" "errors" {
  name            = var.changed ? "shop/errors" : "errors"
  log_group_names = [aws_cloudwatch_log_group.audited.name]

  query_string = <<-E
    fields @timestamp, @message
    | sort @timestamp desc
    | limit 20
  E
}

resource "aws_cloudwatch_log_delivery_destination_policy" "bus" {
  delivery_destination_name = aws_cloudwatch_log_delivery_destination.bus.name

  delivery_destination_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = var.changed ? "second" : "first"
      Effect    = "Allow"
      Principal = { AWS = "111111111111" }
      Action    = "logs:CreateDelivery"
      Resource  = aws_cloudwatch_log_delivery_destination.bus.arn
    }]
  })
}

resource "aws_cloudwatch_event_bus" "stored" {
  name = "stored"
}

resource "aws_cloudwatch_log_delivery_source" "stored" {
  name         = "stored"
  log_type     = "INFO_LOGS"
  resource_arn = aws_cloudwatch_event_bus.stored.arn

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_cloudwatch_log_delivery_destination" "bucket" {
  name = "bucket"

  delivery_destination_configuration {
    destination_resource_arn = aws_s3_bucket.audit.arn
  }
}

resource "aws_cloudwatch_log_delivery" "bucket" {
  delivery_source_name     = aws_cloudwatch_log_delivery_source.stored.name
  delivery_destination_arn = aws_cloudwatch_log_delivery_destination.bucket.arn
  field_delimiter          = ","
  record_fields            = ["resource_arn", "message_timestamp_ms", "event_bus_name", "message_type", "log_level"]

  s3_delivery_configuration {
    suffix_path                 = "/{yyyy}/{MM}/{dd}"
    enable_hive_compatible_path = false
  }
}
