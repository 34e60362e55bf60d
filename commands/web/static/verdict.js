/* What stands for the check of the chain: what verify found, and what was recorded since. */

const ofChain = judge;

judge = (sound, text) => {
  const { verdict } = engine;
  if (sound !== true) return ofChain(sound, text);
  if (!verdict) return ofChain(null, "The chain is sound; affray verify also checks the rules.");
  if (!verdict.sound) return ofChain(verdict.sound, verdict.text);
  const since = page.head - verdict.head;
  return ofChain(true, since > 0 ? `${verdict.text} Since then ${since === 1 ? "one entry was" : `${since} entries were`} recorded here.` : verdict.text);
};
