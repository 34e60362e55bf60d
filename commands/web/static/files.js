/* The files of this browser, in IndexedDB: under each name its bytes and how often it was written. */

export class Files {
  constructor(base) {
    this.base = base;
    this.known = new Map(); /* the version of each file as this tab has it */
  }

  async open() {
    this.db = await new Promise((done, failed) => {
      const asked = indexedDB.open(`affray ${this.base}`, 1);
      asked.onupgradeneeded = () => asked.result.createObjectStore("files", { keyPath: "name" }).createIndex("version", ["name", "version"]);
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => failed(asked.error);
    });
    this.db.onversionchange = () => this.db.close();
  }

  /* One transaction: `work` gets the store, and the answer is what it returned, once all of it is on the disk. */
  transact(mode, work) {
    return new Promise((done, failed) => {
      const transaction = this.db.transaction("files", mode, { durability: "strict" });
      let answer;
      transaction.oncomplete = () => done(answer);
      transaction.onerror = transaction.onabort = () => failed(transaction.error ?? new Error("The browser gave up."));
      work(transaction.objectStore("files"), (found) => { answer = found; });
    });
  }

  /* The names of all files, each with its version. */
  versions() {
    return this.transact("readonly", (store, answer) => {
      const found = new Map();
      store.index("version").openKeyCursor().onsuccess = ({ target: { result: cursor } }) => {
        if (!cursor) return answer(found);
        const [name, version] = cursor.key;
        found.set(name, version);
        return cursor.continue();
      };
    });
  }

  read(name) {
    return this.transact("readonly", (store, answer) => {
      store.get(name).onsuccess = ({ target: { result } }) => answer(result);
    });
  }

  /* What differs from what this tab has: files to write, and names that are gone. */
  async news() {
    const versions = await this.versions(), changed = [], gone = [];
    for (const [name, version] of versions) {
      if (this.known.get(name) === version) continue;
      const found = await this.read(name);
      if (!found) continue;
      this.known.set(name, found.version);
      changed.push(found);
    }
    for (const name of [...this.known.keys()]) {
      if (versions.has(name)) continue;
      this.known.delete(name);
      gone.push(name);
    }
    return { changed, gone };
  }

  /* Keeps a file. A new one whose name another tab has just taken is kept under the next free name; gives the name. */
  async keep(name, bytes) {
    const before = this.known.get(name) ?? 0;
    const [kept, version] = await this.transact("readwrite", (store, answer) => {
      const put = (as, nth) => {
        store.getKey(as).onsuccess = ({ target: { result } }) => {
          if (result !== undefined && !before) {
            const [, stem, ending] = /^(.*?)(\.[^.]*)?$/.exec(name);
            return put(`${stem}-${nth}${ending ?? ""}`, nth + 1);
          }
          store.put({ name: as, bytes, version: before + 1 });
          return answer([as, before + 1]);
        };
      };
      put(name, 2);
    });
    this.known.set(kept, version);
    return kept;
  }

  async remove(name) {
    await this.transact("readwrite", (store) => store.delete(name));
    this.known.delete(name);
  }
}
