// What the command in WebAssembly asks of Node: the other side of node.cpp.
mergeInto(LibraryManager.library, {
  $made: { bytes: null }, // by node_unpack or node_pack, last

  // Unpacks gzip. What could be unpacked can then be taken; the fault as text, empty where there is none.
  node_unpack__deps: ['$made', '$node_text'],
  node_unpack: function (at, size, fault, room) {
    var zlib = require('zlib');
    var bytes = HEAPU8.subarray(at, at + size);
    var message = '';
    made.bytes = Buffer.alloc(0);
    try {
      made.bytes = zlib.gunzipSync(bytes);
    } catch (error) {
      message = error.message;
      if (error.code === 'Z_BUF_ERROR') {
        message = 'it ends too early';
        try {
          made.bytes = zlib.gunzipSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
        } catch (_) {}
      }
    }
    node_text(message, fault, room);
    return made.bytes.length;
  },

  node_pack__deps: ['$made'],
  node_pack: function (at, size) {
    made.bytes = require('zlib').gzipSync(HEAPU8.subarray(at, at + size), { level: 9 });
    return made.bytes.length;
  },

  // Copies a part of what was made last.
  node_take__deps: ['$made'],
  node_take: function (from, size, to) {
    HEAPU8.set(made.bytes.subarray(from, from + size), to);
  },

  // Where the package has its programs; npm/command.mjs says so.
  node_folder__deps: ['$node_text'],
  node_folder: function (to, room) {
    node_text(Module['folder'], to, room);
  },

  // Leaves to npm/command.mjs what to serve, as JSON, for when this module has ended.
  node_serve: function (at, size) {
    Module['serve'](Buffer.from(HEAPU8.subarray(at, at + size)).toString());
  },

  // Text that ends with a zero.
  $node_text: function (text, to, room) {
    var bytes = Buffer.from(text).subarray(0, room - 1);
    HEAPU8.set(bytes, to);
    HEAPU8[to + bytes.length] = 0;
  },
});
