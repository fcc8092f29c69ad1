#!/usr/bin/env node
import '../dist/foretrain.js'
