variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_iam_role" "stream" {
  name = "cloudwatch-stream"

  assume_role_policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Effect    = "Allow"
      Principal = { Service = ["streams.metrics.cloudwatch.amazonaws.com", "firehose.amazonaws.com"] }
      Action    = "sts:AssumeRole"
    }]
  })
}

resource "aws_iam_role_policy" "stream" {
  name = "stream"
  role = aws_iam_role.stream.id

  policy = jsonencode({
    Version   = "2012-10-17"
    Statement = [{ Effect = "Allow", Action = ["firehose:*", "s3:*"], Resource = "*" }]
  })
}

resource "aws_s3_bucket" "metrics" {
  bucket        = "terraform-metrics"
  force_destroy = true
}

resource "aws_kinesis_firehose_delivery_stream" "metrics" {
  name        = "metrics"
  destination = "extended_s3"

  extended_s3_configuration {
    role_arn   = aws_iam_role.stream.arn
    bucket_arn = aws_s3_bucket.metrics.arn
  }

  depends_on = [aws_iam_role_policy.stream]
}

resource "aws_cloudwatch_metric_stream" "all" {
  name                            = "all"
  role_arn                        = aws_iam_role.stream.arn
  firehose_arn                    = aws_kinesis_firehose_delivery_stream.metrics.arn
  output_format                   = var.changed ? "opentelemetry1.0" : "json"
  include_linked_accounts_metrics = false

  include_filter {
    namespace    = "AWS/Lambda"
    metric_names = var.changed ? ["Errors"] : ["Errors", "Duration"]
  }

  include_filter {
    namespace = "Shop"
  }

  statistics_configuration {
    additional_statistics = ["p1", "tm99"]

    include_metric {
      metric_name = "Latency"
      namespace   = "Shop"
    }
  }

  tags = {
    Team = var.changed ? "shop" : "orders"
  }
}

resource "aws_cloudwatch_metric_stream" "some" {
  name_prefix   = "some-"
  role_arn      = aws_iam_role.stream.arn
  firehose_arn  = aws_kinesis_firehose_delivery_stream.metrics.arn
  output_format = "opentelemetry0.7"

  exclude_filter {
    namespace = "AWS/EC2"
  }
}

resource "aws_cloudwatch_contributor_insight_rule" "callers" {
  rule_name  = "callers"
  rule_state = var.changed ? "DISABLED" : "ENABLED"

  rule_definition = jsonencode({
    Schema        = { Name = "CloudWatchLogRule", Version = 1 }
    AggregateOn   = "Count"
    LogFormat     = "JSON"
    LogGroupNames = ["/app/*"]
    Contribution = {
      Filters = []
      Keys    = ["$.requestId"]
    }
  })
}

resource "aws_sns_topic" "others" {
  name = "cloudwatch-others"
}

resource "aws_cloudwatch_metric_alarm" "anomaly" {
  alarm_name                = "anomaly"
  alarm_description         = var.changed ? "Unusual load" : "Load"
  comparison_operator       = "GreaterThanUpperThreshold"
  evaluation_periods        = var.changed ? 3 : 2
  datapoints_to_alarm       = 2
  threshold_metric_id       = "band"
  insufficient_data_actions = []
  actions_enabled           = var.changed

  metric_query {
    id          = "band"
    expression  = "ANOMALY_DETECTION_BAND(load, 2)"
    label       = "Load (expected)"
    return_data = true
  }

  metric_query {
    id          = "load"
    return_data = true
    metric {
      metric_name = "Load"
      namespace   = "Shop"
      period      = 120
      stat        = "Average"
      unit        = "Count"

      dimensions = {
        Service = "orders"
      }
    }
  }
}

resource "aws_cloudwatch_metric_alarm" "percentile" {
  alarm_name                            = "percentile"
  namespace                             = "Shop"
  metric_name                           = "Latency"
  extended_statistic                    = var.changed ? "tm90" : "p99.9"
  period                                = 10
  unit                                  = "Milliseconds"
  evaluation_periods                    = 1
  threshold                             = 0
  comparison_operator                   = "LessThanOrEqualToThreshold"
  evaluate_low_sample_count_percentiles = "ignore"
  ok_actions                            = [aws_sns_topic.others.arn]
  treat_missing_data                    = var.changed ? "missing" : "breaching"
}

resource "aws_cloudwatch_composite_alarm" "suppressed" {
  alarm_name        = "suppressed"
  alarm_description = var.changed ? "Second" : "First"
  actions_enabled   = true
  alarm_actions     = [aws_sns_topic.others.arn]
  ok_actions        = var.changed ? [aws_sns_topic.others.arn] : []

  alarm_rule = <<-E
    ALARM("${aws_cloudwatch_metric_alarm.anomaly.alarm_name}") OR
    NOT OK(${aws_cloudwatch_metric_alarm.percentile.alarm_name})
  E

  actions_suppressor {
    alarm            = aws_cloudwatch_metric_alarm.latency.alarm_name
    extension_period = 10
    wait_period      = var.changed ? 30 : 20
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_cloudwatch_contributor_managed_insight_rule" "connections" {
  resource_arn  = "arn:aws:ec2:eu-central-1:123456789012:vpc-endpoint-service/vpce-svc-0123456789abcdef0"
  template_name = "VpcEndpointService-NewConnectionsByEndpointId-v1"
  state         = var.changed ? "DISABLED" : "ENABLED"
}
