// Mau-Mau in lock step, by hand for AVX-512: 16 games a vector, one turn or one penalty card a step, lanes refilled every STEPS steps.
#include "maumau.hpp"
#include <immintrin.h>
#ifndef GROUPS
#define GROUPS 4
#endif
#ifndef STEPS
#define STEPS 4
#endif
typedef __m512i V; typedef __mmask16 M;
#define S1(x) _mm512_set1_epi32((int)(x))
template<int N> struct alignas(64) Group { V h[N]; V cur,pen,allow,head,tail,top,turns,status,id; M live; alignas(64) u32 q[16][32]; };
struct Fresh { alignas(64) u32 h[4][16]; alignas(64) u32 top[16]; };
static const V LANE=_mm512_setr_epi32(0,32,64,96,128,160,192,224,256,288,320,352,384,416,448,480);
struct Tab{ alignas(64) u32 al[32]; alignas(64) u32 op[32]; constexpr Tab():al(),op(){ for(int c=0;c<32;c++){ u32 m=((SUIT0<<(c&3))|(0xFu<<(c&~3)))&~JM; int r=c>>2; al[c]= r==7?0: r==4?SEV : (m|JM); op[c]= r==7? ~JM : r==4?SEV:(m|JM);} } };
static constexpr Tab TAB;
// done buffer
template<int N> struct Done { alignas(64) u32 h[N][64], cur[64], top[64], turns[64], status[64], id[64]; unsigned n=0; };
static inline V pts(V h){
  // bit planes of values A11 T10 N9 E8 S7 K4 Q3 J20
  auto plane=[](int b){ const int v[8]={11,10,9,8,7,4,3,20}; u32 m=0; for(int r=0;r<8;r++) if(v[r]>>b&1) m|=0xFu<<(4*r); return m; };
  V s=_mm512_popcnt_epi32(_mm512_and_si512(h,S1(plane(0))));
  for(int b=1;b<5;b++) s=_mm512_add_epi32(s,_mm512_slli_epi32(_mm512_popcnt_epi32(_mm512_and_si512(h,S1(plane(b)))),b));
  return s;
}
template<int N> static inline void flush(Done<N>&d,int count,Out*o){ // first 16 entries
  V cur=_mm512_load_si512(d.cur), top=_mm512_load_si512(d.top), st=_mm512_load_si512(d.status);
  M dbl=_mm512_cmpge_epi32_mask(top,S1(28))&_mm512_cmpeq_epi32_mask(st,S1(0));
  alignas(64) u32 sc[4][16]; 
  V s[N]; for(int i=0;i<N;i++){ s[i]=pts(_mm512_load_si512(d.h[i])); s[i]=_mm512_mask_add_epi32(s[i],dbl,s[i],s[i]); }
  // h[i] is the hand of seat (cur+i)%N ; want by seat
  V out[4]; for(int i=0;i<4;i++) out[i]=_mm512_setzero_si512();
  for(int c=0;c<N;c++){ M k=_mm512_cmpeq_epi32_mask(cur,S1(c)); for(int i=0;i<N;i++) out[(c+i)%N]=_mm512_mask_mov_epi32(out[(c+i)%N],k,s[i]); }
  V w=_mm512_mask_mov_epi32(cur,_mm512_cmpneq_epi32_mask(st,S1(0)),S1(255));
  V a=_mm512_or_si512(out[0],_mm512_slli_epi32(out[1],16)), b=_mm512_or_si512(out[2],_mm512_slli_epi32(out[3],16));
  V c=_mm512_or_si512(_mm512_or_si512(w,_mm512_slli_epi32(st,8)),_mm512_slli_epi32(_mm512_load_si512(d.turns),16));
  V at=_mm512_mullo_epi32(_mm512_load_si512(d.id),S1(3)); M k=(M)((1u<<count)-1); if(count==16)k=0xFFFF;
  _mm512_mask_i32scatter_epi32((int*)o,k,at,a,4);
  _mm512_mask_i32scatter_epi32((int*)o+1,k,at,b,4);
  _mm512_mask_i32scatter_epi32((int*)o+2,k,at,c,4);
}
template<int N> static void play(const u8*decks,size_t g,Out*o){
  constexpr int K=N==2?7:N==3?6:5, D=N*K;
  static thread_local Group<N> G[GROUPS]; static thread_local Done<N> dn; dn.n=0;
  static thread_local struct { alignas(64) u32 h[N][32]; alignas(64) u32 top[32]; } fr; 
  size_t next=0; size_t dealt=0; // games [next,dealt) are prepared in fr ring of 32 (two blocks)
  const V al0=_mm512_load_si512(TAB.al), al1=_mm512_load_si512(TAB.al+16), op0=_mm512_load_si512(TAB.op), op1=_mm512_load_si512(TAB.op+16);
  const V one=S1(1);
  auto deal16=[&](size_t first){ // prepare 16 games into block
    unsigned at=first&31; V w[(D+4)/4];
    V ix=_mm512_mullo_epi32(_mm512_setr_epi32(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15),S1(32));
    M k=g-first>=16?0xFFFF:(M)((1u<<(g-first))-1);
    for(int i=0;i<(D+4)/4;i++) w[i]=_mm512_mask_i32gather_epi32(_mm512_setzero_si512(),k,ix,decks+first*32+4*i,1);
    V h[N]; for(int i=0;i<N;i++)h[i]=_mm512_setzero_si512();
    for(int i=0;i<D;i++){ V c=_mm512_srli_epi32(w[i/4],8*(i%4)); /* sllv uses full count: mask */ c=_mm512_and_si512(c,S1(31)); h[i%N]=_mm512_or_si512(h[i%N],_mm512_sllv_epi32(one,c)); }
    for(int i=0;i<N;i++) _mm512_store_si512(&fr.h[i][at],h[i]);
    _mm512_store_si512(&fr.top[at],_mm512_and_si512(_mm512_srli_epi32(w[D/4],8*(D%4)),S1(31)));
  };
  for(int i=0;i<GROUPS;i++){ G[i].live=0; G[i].h[0]=G[i].h[N-1]=one; G[i].cur=G[i].pen=G[i].allow=G[i].head=G[i].tail=G[i].top=G[i].turns=G[i].status=G[i].id=_mm512_setzero_si512(); for(int j=0;j<N;j++)G[i].h[j]=one; memset(G[i].q,0,sizeof G[i].q);}
  size_t finished=0;
  M fin[GROUPS]; for(int i=0;i<GROUPS;i++) fin[i]=0xFFFF; // to be refilled; live tells whether it carries a result
  for(;;){
    for(int gi=0;gi<GROUPS;gi++){ Group<N>&s=G[gi];
      // ---- finish and refill
      M done=fin[gi]; M res=done&s.live;
      if(res){
        unsigned n=dn.n; 
        for(int i=0;i<N;i++) _mm512_storeu_si512(&dn.h[i][n],_mm512_maskz_compress_epi32(res,s.h[i]));
        _mm512_storeu_si512(&dn.cur[n],_mm512_maskz_compress_epi32(res,s.cur)); _mm512_storeu_si512(&dn.top[n],_mm512_maskz_compress_epi32(res,s.top));
        _mm512_storeu_si512(&dn.turns[n],_mm512_maskz_compress_epi32(res,s.turns)); _mm512_storeu_si512(&dn.status[n],_mm512_maskz_compress_epi32(res,s.status));
        _mm512_storeu_si512(&dn.id[n],_mm512_maskz_compress_epi32(res,s.id));
        dn.n=n+=__builtin_popcount(res);
        if(n>=16){ flush<N>(dn,16,o); 
          for(int i=0;i<N;i++) _mm512_store_si512(&dn.h[i][0],_mm512_load_si512(&dn.h[i][16]));
          _mm512_store_si512(dn.cur,_mm512_load_si512(&dn.cur[16]));_mm512_store_si512(dn.top,_mm512_load_si512(&dn.top[16]));_mm512_store_si512(dn.turns,_mm512_load_si512(&dn.turns[16]));
          _mm512_store_si512(dn.status,_mm512_load_si512(&dn.status[16]));_mm512_store_si512(dn.id,_mm512_load_si512(&dn.id[16])); dn.n=n-16; finished+=16; }
      }
      if(done && next<g){
        unsigned want=__builtin_popcount(done); size_t have=g-next; 
        while(dealt<g && dealt<next+want){ deal16(dealt); dealt+=16; }
        M take=done; if(have<want){ take=_pdep_u32((1u<<have)-1,done); want=have; }
        // gather indices: lane k-th of take gets game next+k
        V k=_mm512_maskz_expand_epi32(take,_mm512_setr_epi32(0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15)); V id=_mm512_add_epi32(k,S1(next)); V at=_mm512_and_si512(id,S1(31));
        for(int i=0;i<N;i++){ V lo=_mm512_load_si512(fr.h[i]),hi=_mm512_load_si512(fr.h[i]+16); s.h[i]=_mm512_mask_mov_epi32(s.h[i],take,_mm512_permutex2var_epi32(lo,at,hi)); }
        V top=_mm512_permutex2var_epi32(_mm512_load_si512(fr.top),at,_mm512_load_si512(fr.top+16));
        V r=_mm512_srli_epi32(top,2); M r7=_mm512_cmpeq_epi32_mask(r,S1(4)), r8=_mm512_cmpeq_epi32_mask(r,S1(3));
        s.id=_mm512_mask_mov_epi32(s.id,take,id); s.top=_mm512_mask_mov_epi32(s.top,take,top);
        s.pen=_mm512_mask_mov_epi32(s.pen,take,_mm512_maskz_mov_epi32(r7,S1(2)));
        s.allow=_mm512_mask_mov_epi32(s.allow,take,_mm512_permutex2var_epi32(op0,top,op1));
        s.head=_mm512_mask_mov_epi32(s.head,take,S1(D+1)); s.tail=_mm512_mask_mov_epi32(s.tail,take,S1(33));
        s.turns=_mm512_maskz_mov_epi32(~take,s.turns); s.status=_mm512_maskz_mov_epi32(~take,s.status);
        s.cur=_mm512_maskz_mov_epi32(~take,s.cur);
        M sk=take&r8; // opening eight: rotate
        s.cur=_mm512_mask_mov_epi32(s.cur,sk,one); V h0=s.h[0]; for(int i=0;i<N-1;i++) s.h[i]=_mm512_mask_mov_epi32(s.h[i],sk,s.h[i+1]); s.h[N-1]=_mm512_mask_mov_epi32(s.h[N-1],sk,h0);
        const u8*dk=decks+next*32;
        for(unsigned b=take;b;b&=b-1,dk+=32){ u32*q=s.q[__builtin_ctz(b)]; _mm512_store_si512(q,_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)dk))); _mm512_store_si512(q+16,_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i*)(dk+16)))); q[0]=dk[D]; }
        next+=want; s.live=(s.live&~done)|take;
      } else s.live&=~done;
    }
    M any=0; for(int gi=0;gi<GROUPS;gi++) any|=G[gi].live; if(!any) break;
    M lv[GROUPS]; for(int gi=0;gi<GROUPS;gi++) lv[gi]=G[gi].live;
    for(int st=0;st<STEPS;st++)
#pragma GCC unroll 8
    for(int gi=0;gi<GROUPS;gi++){ Group<N>&s=G[gi]; M live=lv[gi];
      V h=s.h[0], hn=s.h[1], pen=s.pen, allow=s.allow, head=s.head, tail=s.tail;
      V cand=_mm512_and_si512(h,allow), jc=_mm512_and_si512(cand,S1(JM));
      M single=_mm512_testn_epi32_mask(hn,_mm512_add_epi32(hn,S1(-1)));
      M jf=_mm512_mask_test_epi32_mask(single,jc,jc);
      cand=_mm512_mask_mov_epi32(cand,jf,jc);
      M draws=_mm512_mask_testn_epi32_mask(live,cand,cand);
      V size1=_mm512_sub_epi32(_mm512_sub_epi32(tail,head),one);
      M out=_mm512_mask_cmplt_epi32_mask(draws,size1,_mm512_max_epi32(pen,one));
      V x=_mm512_mask_i32gather_epi32(head,draws,_mm512_or_si512(LANE,_mm512_and_si512(head,S1(31))),s.q,4);
      V xb=_mm512_sllv_epi32(one,x);
      M nopen=_mm512_testn_epi32_mask(pen,pen);
      M fits=_mm512_mask_test_epi32_mask(draws&nopen,allow,xb);
      // lowest bit of cand
      V low=_mm512_and_si512(cand,_mm512_sub_epi32(_mm512_setzero_si512(),cand));
      V cb=_mm512_mask_mov_epi32(low,draws,xb);
      V c=_mm512_mask_mov_epi32(_mm512_sub_epi32(S1(31),_mm512_lzcnt_epi32(low)),draws,x);
      M act=live&~out; M playm=act&(~draws|fits);
      V nh=_mm512_mask_xor_epi32(h,act&~fits,h,cb);
      s.head=_mm512_mask_add_epi32(head,draws&act,head,one);
      _mm512_mask_i32scatter_epi32(s.q,playm,_mm512_or_si512(LANE,_mm512_and_si512(tail,S1(31))),c,4);
      s.tail=_mm512_mask_add_epi32(tail,playm,tail,one);
      V top=s.top=_mm512_mask_mov_epi32(s.top,playm,c);
      M won=_mm512_mask_testn_epi32_mask(playm,nh,nh);
      V r=_mm512_srli_epi32(c,2);
      M r7=_mm512_mask_cmpeq_epi32_mask(playm,r,S1(4)), r8=_mm512_mask_cmpeq_epi32_mask(playm,r,S1(3)), rj=_mm512_mask_cmpeq_epi32_mask(playm,r,S1(7));
      // jack's suit
      V xs=_mm512_andnot_si512(S1(JM),nh);
      V k0=_mm512_slli_epi32(_mm512_popcnt_epi32(_mm512_and_si512(xs,S1(SUIT0))),2);
      V k1=_mm512_slli_epi32(_mm512_popcnt_epi32(_mm512_and_si512(xs,S1(SUIT0<<1))),2);
      V k2=_mm512_slli_epi32(_mm512_popcnt_epi32(_mm512_and_si512(xs,S1(SUIT0<<2))),2);
      V k3=_mm512_slli_epi32(_mm512_popcnt_epi32(_mm512_and_si512(xs,S1(SUIT0<<3))),2);
      V b=_mm512_max_epi32(_mm512_max_epi32(_mm512_or_si512(k0,S1(3)),_mm512_or_si512(k1,S1(2))),_mm512_max_epi32(_mm512_or_si512(k2,one),k3));
      b=_mm512_andnot_si512(b,S1(3));
      V bound=_mm512_and_si512(_mm512_sllv_epi32(S1(SUIT0),b),S1(~JM));
      V na=_mm512_permutex2var_epi32(al0,c,al1); na=_mm512_mask_mov_epi32(na,rj,bound);
      // no play: one penalty card fewer; the last one frees the seven
      V p1=_mm512_sub_epi32(pen,one);
      M more=_mm512_mask_cmpgt_epi32_mask(act&~playm,pen,one); M last=_mm512_mask_cmpeq_epi32_mask(act&~playm,pen,one);
      // match of top
      V mt=_mm512_or_si512(_mm512_sllv_epi32(S1(SUIT0),_mm512_and_si512(top,S1(3))),_mm512_sllv_epi32(S1(0xF),_mm512_andnot_si512(S1(3),top))); mt=_mm512_or_si512(mt,S1(JM));
      allow=_mm512_mask_mov_epi32(allow,playm,na); allow=_mm512_maskz_mov_epi32(~more,allow); allow=_mm512_mask_mov_epi32(allow,last,mt);
      s.allow=allow;
      pen=_mm512_mask_add_epi32(pen,r7,pen,S1(2)); pen=_mm512_mask_mov_epi32(pen,more|last,p1); s.pen=pen;
      M end=act&~more&~won;
      s.turns=_mm512_mask_add_epi32(s.turns,(end|won|out),s.turns,one);
      // rotate
      M e8=r8&~won;
      s.h[0]=nh; 
      if(N==2){ M sw=end&~e8; V a=s.h[1]; s.h[0]=_mm512_mask_mov_epi32(nh,sw,a); s.h[1]=_mm512_mask_mov_epi32(a,sw,nh); s.cur=_mm512_mask_xor_epi32(s.cur,sw,s.cur,one); }
      else { V t[N]; for(int i=0;i<N;i++) t[i]=_mm512_mask_mov_epi32(s.h[i],end,s.h[(i+1)%N]); for(int i=0;i<N;i++) s.h[i]=_mm512_mask_mov_epi32(t[i],e8,t[(i+1)%N]);
        V cu=_mm512_mask_add_epi32(s.cur,end,s.cur,one); cu=_mm512_mask_add_epi32(cu,e8,cu,one); s.cur=_mm512_mask_sub_epi32(cu,_mm512_cmpge_epi32_mask(cu,S1(N)),cu,S1(N)); }
      s.status=_mm512_mask_mov_epi32(s.status,out,one);
      lv[gi]=live&~(won|out);
    }
    for(int gi=0;gi<GROUPS;gi++){ M fin_=G[gi].live&~lv[gi]; 
      fin[gi]=fin_|(M)~G[gi].live; 
    }
  }
  if(dn.n) flush<N>(dn,dn.n,o);
}
extern "C" void run(int n,const u8*d,size_t g,Out*o){ n==2?play<2>(d,g,o):n==3?play<3>(d,g,o):play<4>(d,g,o); }
