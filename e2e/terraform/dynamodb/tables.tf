variable "changed" {
  description = "whether the second state of the changed resources applies"
  type        = bool
}

resource "aws_kms_key" "tables" {
  description             = "dynamodb-tables"
  deletion_window_in_days = 7
}

resource "aws_dynamodb_table" "scores" {
  name                        = "scores"
  billing_mode                = "PAY_PER_REQUEST"
  table_class                 = "STANDARD_INFREQUENT_ACCESS"
  hash_key                    = "player"
  range_key                   = "game"
  deletion_protection_enabled = false
  stream_enabled              = true
  stream_view_type            = var.changed ? "KEYS_ONLY" : "NEW_IMAGE"

  attribute {
    name = "player"
    type = "S"
  }
  attribute {
    name = "game"
    type = "S"
  }
  attribute {
    name = "score"
    type = "N"
  }

  global_secondary_index {
    name               = "by-game"
    hash_key           = "game"
    range_key          = "score"
    projection_type    = "INCLUDE"
    non_key_attributes = ["player"]

    on_demand_throughput {
      max_read_request_units  = var.changed ? 20 : 10
      max_write_request_units = 10
    }
  }

  dynamic "global_secondary_index" {
    for_each = var.changed ? [1] : []
    content {
      name            = "by-score"
      hash_key        = "score"
      projection_type = "ALL"
    }
  }

  on_demand_throughput {
    max_read_request_units  = 100
    max_write_request_units = var.changed ? 200 : 100
  }

  ttl {
    attribute_name = "expires"
    enabled        = var.changed
  }

  point_in_time_recovery {
    enabled                 = true
    recovery_period_in_days = var.changed ? 14 : 7
  }

  server_side_encryption {
    enabled     = true
    kms_key_arn = aws_kms_key.tables.arn
  }

  tags = {
    Name = var.changed ? "second" : "first"
  }
}

# Becomes on demand.
resource "aws_dynamodb_table" "capacity" {
  name           = "capacity"
  billing_mode   = var.changed ? "PAY_PER_REQUEST" : "PROVISIONED"
  read_capacity  = var.changed ? null : 2
  write_capacity = var.changed ? null : 3
  hash_key       = "id"

  attribute {
    name = "id"
    type = "S"
  }

  server_side_encryption {
    enabled = true
  }

  lifecycle {
    ignore_changes = [tags, tags_all]
  }
}

resource "aws_dynamodb_table" "global" {
  name             = "global"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "id"
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"

  attribute {
    name = "id"
    type = "S"
  }

  replica {
    region_name            = "us-east-1"
    point_in_time_recovery = var.changed
    propagate_tags         = true
  }

  dynamic "replica" {
    for_each = var.changed ? [1] : []
    content {
      region_name = "eu-west-3"
    }
  }

  tags = {
    Team = "orders"
  }
}

resource "aws_dynamodb_table" "mirrored" {
  name             = "mirrored"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "id"
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"

  attribute {
    name = "id"
    type = "S"
  }

  lifecycle {
    ignore_changes = [replica]
  }
}

resource "aws_dynamodb_table_replica" "mirrored" {
  provider               = aws.other
  global_table_arn       = aws_dynamodb_table.mirrored.arn
  point_in_time_recovery = var.changed
}

resource "aws_dynamodb_table" "shared" {
  name             = "shared"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "id"
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"

  attribute {
    name = "id"
    type = "S"
  }

  lifecycle {
    ignore_changes = [replica]
  }
}

resource "aws_dynamodb_table" "shared_elsewhere" {
  provider         = aws.other
  name             = "shared"
  billing_mode     = "PAY_PER_REQUEST"
  hash_key         = "id"
  stream_enabled   = true
  stream_view_type = "NEW_AND_OLD_IMAGES"

  attribute {
    name = "id"
    type = "S"
  }

  lifecycle {
    ignore_changes = [replica]
  }
}

resource "aws_dynamodb_global_table" "shared" {
  depends_on = [aws_dynamodb_table.shared, aws_dynamodb_table.shared_elsewhere]
  name       = "shared"

  replica {
    region_name = "eu-central-1"
  }
  replica {
    region_name = "us-east-1"
  }
}

resource "aws_dynamodb_tag" "capacity" {
  resource_arn = aws_dynamodb_table.capacity.arn
  key          = "Extra"
  value        = var.changed ? "second" : "first"
}

resource "aws_kinesis_stream" "scores" {
  name        = "dynamodb-scores"
  shard_count = 1
}

resource "aws_dynamodb_kinesis_streaming_destination" "scores" {
  stream_arn                               = aws_kinesis_stream.scores.arn
  table_name                               = aws_dynamodb_table.scores.name
  approximate_creation_date_time_precision = "MICROSECOND"
}

resource "aws_dynamodb_resource_policy" "scores" {
  resource_arn = aws_dynamodb_table.scores.arn

  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [{
      Sid       = "read"
      Effect    = "Allow"
      Principal = { AWS = "arn:aws:iam::123456789012:root" }
      Action    = var.changed ? ["dynamodb:GetItem", "dynamodb:Query"] : ["dynamodb:GetItem"]
      Resource  = aws_dynamodb_table.scores.arn
    }]
  })
}

resource "aws_s3_bucket" "exports" {
  bucket        = "terraform-dynamodb-exports"
  force_destroy = true
}

resource "aws_dynamodb_table_export" "scores" {
  table_arn     = aws_dynamodb_table.scores.arn
  s3_bucket     = aws_s3_bucket.exports.id
  s3_prefix     = "scores"
  export_format = "DYNAMODB_JSON"
}

resource "aws_s3_object" "rows" {
  bucket  = aws_s3_bucket.exports.id
  key     = "rows/rows.csv"
  content = "id,name\n1,one\n2,two\n"
}

resource "aws_dynamodb_table" "imported" {
  name         = "imported"
  table_class  = var.changed ? "STANDARD_INFREQUENT_ACCESS" : "STANDARD"
  billing_mode = "PAY_PER_REQUEST"
  hash_key     = "id"

  attribute {
    name = "id"
    type = "S"
  }

  import_table {
    input_format = "CSV"

    input_format_options {
      csv {
        delimiter = ","
      }
    }

    s3_bucket_source {
      bucket     = aws_s3_bucket.exports.id
      key_prefix = dirname(aws_s3_object.rows.key)
    }
  }
}

resource "aws_dynamodb_table" "restored" {
  name                     = "restored"
  restore_source_table_arn = aws_dynamodb_table.scores.arn
  restore_to_latest_time   = true
  billing_mode             = "PAY_PER_REQUEST"
  hash_key                 = "player"
  range_key                = "game"

  attribute {
    name = "player"
    type = "S"
  }
  attribute {
    name = "game"
    type = "S"
  }

  lifecycle {
    ignore_changes = [attribute, global_secondary_index, on_demand_throughput, table_class]
  }
}

resource "aws_dynamodb_table_item" "score" {
  table_name = aws_dynamodb_table.scores.name
  hash_key   = aws_dynamodb_table.scores.hash_key
  range_key  = aws_dynamodb_table.scores.range_key

  item = <<-E
    {
      "player": {"S": "jane"},
      "game": {"S": "chess"},
      "score": {"N": "${var.changed ? "2.5" : "1"}"},
      "tags": {"SS": ["a", "b"]},
      "data": {"B": "AQID"},
      "nested": {"M": {"on": {"BOOL": true}, "none": {"NULL": true}, "list": {"L": [{"N": "1"}]}}}
    }
  E
}
